#include "postgres.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Each call of libpq that is used: result, name, parameters, arguments. */
#define CALLS(CALL) \
    CALL(int, PQbackendPID, (const PGconn *c), (c)) \
    CALL(char *, PQcmdTuples, (PGresult *r), (r)) \
    CALL(PGconn *, PQconnectdbParams, (const char *const *k, const char *const *v, int e), (k, v, e)) \
    CALL(PQconninfoOption *, PQconninfoParse, (const char *text, char **error), (text, error)) \
    CALL(int, PQconsumeInput, (PGconn *c), (c)) \
    CALL(char *, PQerrorMessage, (const PGconn *c), (c)) \
    CALL(int, PQflush, (PGconn *c), (c)) \
    CALL(int, PQgetisnull, (const PGresult *r, int row, int column), (r, row, column)) \
    CALL(int, PQgetlength, (const PGresult *r, int row, int column), (r, row, column)) \
    CALL(PGresult *, PQgetResult, (PGconn *c), (c)) \
    CALL(char *, PQgetvalue, (const PGresult *r, int row, int column), (r, row, column)) \
    CALL(int, PQisBusy, (PGconn *c), (c)) \
    CALL(PGnotify *, PQnotifies, (PGconn *c), (c)) \
    CALL(int, PQntuples, (const PGresult *r), (r)) \
    CALL(const char *, PQparameterStatus, (const PGconn *c, const char *name), (c, name)) \
    CALL(char *, PQresultErrorField, (const PGresult *r, int field), (r, field)) \
    CALL(char *, PQresultErrorMessage, (const PGresult *r), (r)) \
    CALL(ExecStatusType, PQresultStatus, (const PGresult *r), (r)) \
    CALL(int, PQsendPrepare, \
         (PGconn *c, const char *name, const char *query, int count, const Oid *types), \
         (c, name, query, count, types)) \
    CALL(int, PQsendQuery, (PGconn *c, const char *query), (c, query)) \
    CALL(int, PQsendQueryPrepared, \
         (PGconn *c, const char *name, int count, const char *const *values, const int *lengths, \
          const int *formats, int format), \
         (c, name, count, values, lengths, formats, format)) \
    CALL(int, PQserverVersion, (const PGconn *c), (c)) \
    CALL(PQnoticeReceiver, PQsetNoticeReceiver, (PGconn *c, PQnoticeReceiver f, void *with), \
         (c, f, with)) \
    CALL(int, PQsetnonblocking, (PGconn *c, int is_on), (c, is_on)) \
    CALL(int, PQsocket, (const PGconn *c), (c)) \
    CALL(ConnStatusType, PQstatus, (const PGconn *c), (c))

/* The same of calls without a result. */
#define PLAIN_CALLS(CALL) \
    CALL(PQclear, (PGresult *r), (r)) \
    CALL(PQconninfoFree, (PQconninfoOption *options), (options)) \
    CALL(PQfinish, (PGconn *c), (c)) \
    CALL(PQfreemem, (void *memory), (memory))

#define POINTER(result, name, parameters, arguments) __typeof__(&name) name;
#define PLAIN_POINTER(name, parameters, arguments) __typeof__(&name) name;
static struct {
    CALLS(POINTER)
    PLAIN_CALLS(PLAIN_POINTER)
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char flaw[256];

static void *found(void *handle, const char *name) {
    void *place = dlsym(handle, name);
    if (!place && !flaw[0]) snprintf(flaw, sizeof flaw, "libpq.so.5 has no %s", name);
    return place;
}

#define FIND(result, name, parameters, arguments) library.name = found(handle, #name);
#define FIND_PLAIN(name, parameters, arguments) library.name = found(handle, #name);
static void load(void) {
    void *handle = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(flaw, sizeof flaw, "needs libpq, which is not installed (Debian: libpq5): %s",
                 dlerror());
        return;
    }
    CALLS(FIND)
    PLAIN_CALLS(FIND_PLAIN)
}

const char *gp_postgres_load(void) {
    pthread_once(&once, load);
    return flaw[0] ? flaw : NULL;
}

static void need(const void *call) {
    if (!call) abort();
}

#define FORWARD(result, name, parameters, arguments) \
    result name parameters { \
        need((const void *)library.name); \
        return library.name arguments; \
    }
#define FORWARD_PLAIN(name, parameters, arguments) \
    void name parameters { \
        need((const void *)library.name); \
        library.name arguments; \
    }
CALLS(FORWARD)
PLAIN_CALLS(FORWARD_PLAIN)
