// How the addon reports failure: as a value. No native function throws; each returns its result or the object made here
// ({errno, operation, detail, log?}), and the TypeScript face (error.ts) throws from one place.
#pragma once

#include <napi.h>

#include <string>

// `error` is a positive errno. `operation` names what was asked for ("map.get"), `detail` what was wrong with it.
Napi::Value Fail(Napi::Env env, int error, const std::string& operation, const std::string& detail,
                 const std::string& log = "");
