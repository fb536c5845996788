"""Makes session-store.db with its write-ahead log as a running editor leaves them: the schema of version 3, an older part
that is checkpointed, and newer turns that are only in the log. All secrets are made up.

Run in this folder: python3 make.py
"""
import os
import shutil
import sqlite3
import tempfile

GITHUB = "_".join(["ghp", "a8Kd03jfLs92mXq1Zt7Rw5Vb6Nc4Ye0Uh3Gi"])
SLACK = "-".join(["xoxb", "913847362514", "2837465019283", "Zk3LmQ9rT7vXw2YbNc5Pd8Fg"])
DB = "session-store.db"

SCHEMA = """
CREATE TABLE schema_version (version INTEGER NOT NULL);
INSERT INTO schema_version VALUES (3);
CREATE TABLE sessions (id TEXT PRIMARY KEY, cwd TEXT, repository TEXT, host_type TEXT, branch TEXT, summary TEXT,
  agent_name TEXT, agent_description TEXT, created_at TEXT, updated_at TEXT);
CREATE TABLE turns (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT REFERENCES sessions(id), turn_index INTEGER,
  user_message TEXT, assistant_response TEXT, timestamp TEXT, UNIQUE (session_id, turn_index));
CREATE TABLE checkpoints (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT REFERENCES sessions(id),
  checkpoint_number INTEGER, title TEXT, overview TEXT, history TEXT, work_done TEXT, technical_details TEXT,
  important_files TEXT, next_steps TEXT, created_at TEXT, UNIQUE (session_id, checkpoint_number));
CREATE VIRTUAL TABLE search_index USING fts5(content, session_id UNINDEXED, source_type UNINDEXED, source_id UNINDEXED);
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, DB)
        db = sqlite3.connect(path, isolation_level=None)
        db.execute("PRAGMA page_size = 1024")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA wal_autocheckpoint = 0")
        db.executescript(SCHEMA)
        when = "2026-03-01T14:05:09.042Z"
        db.execute("INSERT INTO sessions VALUES ('s1', '/home/annlee/app', 'https://annlee:" + "q8Zt3Lk0Pw7Xn2Vb" +
                   "@git.corp.test/app.git', 'local', 'main', 'Fix the login', 'agent', NULL, ?, ?)", (when, when))
        db.execute("INSERT INTO turns (session_id, turn_index, user_message, assistant_response) VALUES ('s1', 0, ?, ?)",
                   (f"My .env has GH={GITHUB}", "I see a token. " + "Keep it out of the chat. " * 60))
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.execute("INSERT INTO sessions VALUES ('s2', '/srv', NULL, 'local', NULL, 'Post', NULL, NULL, ?, ?)", (when, when))
        db.execute("INSERT INTO turns (session_id, turn_index, user_message, assistant_response) VALUES ('s2', 0, 'post it', ?)",
                   (f"curl -H 'Authorization: Bearer {SLACK}' ...",))
        db.execute("INSERT INTO checkpoints (session_id, checkpoint_number, title, technical_details) VALUES ('s2', 1, 'One', ?)",
                   (f"uses {GITHUB} and {SLACK}",))
        db.execute("INSERT INTO search_index VALUES ('post it', 's2', 'turn', 's2:turn:0')")
        for name in (DB, f"{DB}-wal"):
            shutil.copyfile(os.path.join(folder, name), name)
        db.close()


main()
