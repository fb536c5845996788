#include "object.h"

#include <bpf/btf.h>

#include <cerrno>
#include <cstring>

#include "args.h"
#include "fail.h"
#include "log.h"

void Object::Close() {
  if (raw) bpf_object__close(raw);
  raw = nullptr;
}

namespace {

// (source: path | bytes, name: string) -> handle
Napi::Value Open(const Napi::CallbackInfo& info) {
  Args args(info, "object.open");
  bool isPath = info.Length() > 0 && info[0].IsString();
  std::string path = isPath ? args.Text(0, "source") : "";
  Bytes image = isPath ? Bytes{} : args.View(0, "source");
  std::string name = args.Text(1, "name");
  if (!args.ok()) return args.Failure();

  LogCapture log;
  LIBBPF_OPTS(bpf_object_open_opts, options);
  if (!name.empty()) options.object_name = name.c_str();
  // libbpf reads the image only during this call, so JavaScript's memory may be lent to it.
  bpf_object* raw = isPath ? bpf_object__open_file(path.c_str(), &options)
                           : bpf_object__open_mem(image.data, image.size, &options);
  if (!raw) return args.Failure(errno, log.LastLine(), log.text());
  auto object = std::make_shared<Object>();
  object->raw = raw;
  return ToHandle(args.env(), object);
}

const char* WhyNotConfigurable(const Object& object) {
  if (!object.raw) return "the object is closed";
  return object.isLoaded ? "the object is loaded already" : nullptr;
}

Napi::Value Load(const Napi::CallbackInfo& info) {
  Args args(info, "object.load");
  auto object = args.Handle<Object>(0, "object");
  if (!args.ok()) return args.Failure();
  if (const char* why = WhyNotConfigurable(*object)) return args.Failure(EBUSY, why);
  // Also after a failure: libbpf does not load an object twice.
  object->isLoaded = true;
  LogCapture log;
  int error = bpf_object__load(object->raw);
  if (error) return args.Failure(-error, log.LastLine(), log.text());
  return args.env().Undefined();
}

Napi::Value Close(const Napi::CallbackInfo& info) {
  Args args(info, "object.close");
  auto object = args.Handle<Object>(0, "object");
  if (!args.ok()) return args.Failure();
  object->Close();
  return args.env().Undefined();
}

Napi::Value Programs(const Napi::CallbackInfo& info) {
  Args args(info, "object.programs");
  auto object = args.Handle<Object>(0, "object");
  if (!args.ok()) return args.Failure();
  if (!object->raw) return args.Failure(EBADF, "the object is closed");
  Napi::Array list = Napi::Array::New(args.env());
  bpf_program* raw = nullptr;
  while ((raw = bpf_object__next_program(object->raw, raw))) {
    Napi::Object entry = Napi::Object::New(args.env());
    entry.Set("name", bpf_program__name(raw));
    entry.Set("section", bpf_program__section_name(raw));
    entry.Set("handle", ToHandle(args.env(), std::make_shared<Program>(Program{object, raw})));
    list.Set(list.Length(), entry);
  }
  return list;
}

Napi::Value Maps(const Napi::CallbackInfo& info) {
  Args args(info, "object.maps");
  auto object = args.Handle<Object>(0, "object");
  if (!args.ok()) return args.Failure();
  if (!object->raw) return args.Failure(EBADF, "the object is closed");
  Napi::Array list = Napi::Array::New(args.env());
  bpf_map* raw = nullptr;
  while ((raw = bpf_object__next_map(object->raw, raw))) {
    Napi::Object entry = Napi::Object::New(args.env());
    entry.Set("name", bpf_map__name(raw));
    entry.Set("handle", ToHandle(args.env(), std::make_shared<Map>(Map{object, raw})));
    list.Set(list.Length(), entry);
  }
  return list;
}

bool EndsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// The memory that becomes data section `section` (".rodata", ".data", ".bss") at load; libbpf names its map
// "<start of the object's name>.rodata".
uint8_t* InitialValue(bpf_object* raw, const char* section, size_t* size) {
  bpf_map* map = nullptr;
  while ((map = bpf_object__next_map(raw, map))) {
    if (!EndsWith(bpf_map__name(map), section)) continue;
    void* value = const_cast<void*>(bpf_map__initial_value(map, size));
    if (value) return static_cast<uint8_t*>(value);
  }
  return nullptr;
}

struct Variable {
  uint8_t* data = nullptr;
  size_t size = 0;
};

// Looks the variable up in the object's BTF: each data section is a DATASEC that lists (type, offset, size) of its variables.
Variable FindVariable(bpf_object* raw, const std::string& name) {
  const btf* types = bpf_object__btf(raw);
  if (!types) return {};
  for (const char* section : {".rodata", ".data", ".bss"}) {
    int id = btf__find_by_name_kind(types, section, BTF_KIND_DATASEC);
    if (id < 0) continue;
    size_t sectionSize = 0;
    uint8_t* base = InitialValue(raw, section, &sectionSize);
    if (!base) continue;
    const btf_type* datasec = btf__type_by_id(types, static_cast<uint32_t>(id));
    const btf_var_secinfo* entries = btf_var_secinfos(datasec);
    for (int i = 0; i < btf_vlen(datasec); i++) {
      const btf_type* variable = btf__type_by_id(types, entries[i].type);
      if (name != btf__name_by_offset(types, variable->name_off)) continue;
      if (uint64_t{entries[i].offset} + entries[i].size > sectionSize) return {};
      return {base + entries[i].offset, entries[i].size};
    }
  }
  return {};
}

// (object, name) -> size in bytes of a global variable
Napi::Value VariableSize(const Napi::CallbackInfo& info) {
  Args args(info, "object.variable");
  auto object = args.Handle<Object>(0, "object");
  std::string name = args.Text(1, "name");
  if (!args.ok()) return args.Failure();
  if (const char* why = WhyNotConfigurable(*object)) return args.Failure(EBUSY, why);
  Variable variable = FindVariable(object->raw, name);
  if (!variable.data) return args.Failure(ENOENT, "the object has no global variable '" + name + "' in its BTF");
  return Napi::Number::New(args.env(), static_cast<double>(variable.size));
}

// (object, name, value: exactly the variable's bytes)
Napi::Value SetVariable(const Napi::CallbackInfo& info) {
  Args args(info, "object.variable");
  auto object = args.Handle<Object>(0, "object");
  std::string name = args.Text(1, "name");
  Bytes value = args.View(2, "value");
  if (!args.ok()) return args.Failure();
  if (const char* why = WhyNotConfigurable(*object)) return args.Failure(EBUSY, why);
  Variable variable = FindVariable(object->raw, name);
  if (!variable.data) return args.Failure(ENOENT, "the object has no global variable '" + name + "' in its BTF");
  if (value.size != variable.size) {
    return args.Failure(EINVAL, "variable '" + name + "' has " + std::to_string(variable.size) + " bytes, not " +
                                    std::to_string(value.size));
  }
  memcpy(variable.data, value.data, value.size);
  return args.env().Undefined();
}

// (program, shouldLoad)
Napi::Value SetAutoload(const Napi::CallbackInfo& info) {
  Args args(info, "program.disable");
  auto program = args.Handle<Program>(0, "program");
  bool shouldLoad = args.Flag(1, "shouldLoad");
  if (!args.ok()) return args.Failure();
  if (const char* why = WhyNotConfigurable(*program->object)) return args.Failure(EBUSY, why);
  int error = bpf_program__set_autoload(program->raw, shouldLoad);
  if (error) return args.Failure(-error, "");
  return args.env().Undefined();
}

// (program, type): a number, because the running kernel may know attach types that libbpf's header does not.
Napi::Value SetAttachType(const Napi::CallbackInfo& info) {
  Args args(info, "program.attachType");
  auto program = args.Handle<Program>(0, "program");
  uint32_t type = args.Unsigned32(1, "type");
  if (!args.ok()) return args.Failure();
  if (const char* why = WhyNotConfigurable(*program->object)) return args.Failure(EBUSY, why);
  int error = bpf_program__set_expected_attach_type(program->raw, static_cast<bpf_attach_type>(type));
  if (error) return args.Failure(-error, "");
  return args.env().Undefined();
}

// (map, maxEntries)
Napi::Value SetMaxEntries(const Napi::CallbackInfo& info) {
  Args args(info, "map.maxEntries");
  auto map = args.Handle<Map>(0, "map");
  uint32_t maxEntries = args.Unsigned32(1, "maxEntries");
  if (!args.ok()) return args.Failure();
  if (const char* why = WhyNotConfigurable(*map->object)) return args.Failure(EBUSY, why);
  int error = bpf_map__set_max_entries(map->raw, maxEntries);
  if (error) return args.Failure(-error, "");
  return args.env().Undefined();
}

// (map, donor): `map` will be the donor's kernel map instead of a new one.
Napi::Value ReuseMap(const Napi::CallbackInfo& info) {
  Args args(info, "map.reuse");
  auto map = args.Handle<Map>(0, "map");
  auto donor = args.Handle<Map>(1, "donor");
  if (!args.ok()) return args.Failure();
  if (const char* why = WhyNotConfigurable(*map->object)) return args.Failure(EBUSY, why);
  if (!donor->object->raw || bpf_map__fd(donor->raw) < 0) return args.Failure(EBADF, "the donor's object is not loaded");
  int error = bpf_map__reuse_fd(map->raw, bpf_map__fd(donor->raw));
  if (error) return args.Failure(-error, "");
  return args.env().Undefined();
}

}  // namespace

void RegisterObject(Napi::Env env, Napi::Object exports) {
  exports.Set("objectOpen", Napi::Function::New(env, Open));
  exports.Set("objectLoad", Napi::Function::New(env, Load));
  exports.Set("objectClose", Napi::Function::New(env, Close));
  exports.Set("objectPrograms", Napi::Function::New(env, Programs));
  exports.Set("objectMaps", Napi::Function::New(env, Maps));
  exports.Set("objectVariableSize", Napi::Function::New(env, VariableSize));
  exports.Set("objectSetVariable", Napi::Function::New(env, SetVariable));
  exports.Set("programSetAutoload", Napi::Function::New(env, SetAutoload));
  exports.Set("programSetAttachType", Napi::Function::New(env, SetAttachType));
  exports.Set("mapSetMaxEntries", Napi::Function::New(env, SetMaxEntries));
  exports.Set("mapReuse", Napi::Function::New(env, ReuseMap));
}
