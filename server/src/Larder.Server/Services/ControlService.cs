using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Calls;
using Larder.Server.Security;
using Larder.Store;
using Larder.Wire;

namespace Larder.Server.Services;

/// <summary>The calls that create, delete, list and flush caches.</summary>
internal static class ControlService
{
    public static readonly IReadOnlyList<string> Paths = [Path("CreateCache"), Path("DeleteCache"), Path("ListCaches"), Path("FlushCache")];

    // The server has no rate limits. The reported values are higher than the capacity of a network link, so that clients never throttle themselves.
    private const uint ReportedRate = 1_000_000;
    private const uint ReportedThroughputKbps = 10_485_760;

    public static void Map(RpcRouter router, CallRouting routing)
    {
        router.MapUnary(Path("CreateCache"), (request, _, context) =>
        {
            string name = NameRequest.Decode(request, context, out ulong maxBytes);
            RequireName(name, context);
            Create(name, maxBytes, routing, context);
            return default;
        });
        MapName(router, "DeleteCache", (name, context) =>
        {
            RequireName(name, context);
            RequireFound(name, routing.Store.DeleteCache, context);
            return Noted(routing, name, isDeleted: true);
        });
        MapName(router, "FlushCache", (name, context) =>
        {
            RequireName(name, context);
            RequireFound(name, routing.Store.FlushCache, context);
            return Noted(routing, name, isDeleted: false);
        });
        router.MapUnary(Path("ListCaches"), (request, response, context) =>
        {
            NameRequest.Decode(request, context);
            response.WriteWhole(List(Quotas(routing.Store).Where(each => CanSee(context, each.Name)), routing.Rules));
            return default;
        });
    }

    // The responses have no fields, so nothing is written.
    private static void MapName(RpcRouter router, string rpc, Func<string, RpcContext, ValueTask> act) =>
        router.MapUnary(Path(rpc), (request, _, context) => act(NameRequest.Decode(request, context), context));

    private static ValueTask Noted(CallRouting routing, string name, bool isDeleted) =>
        routing.Snapshots is { } snapshots ? new ValueTask(snapshots.NoteFlushAsync(name, isDeleted)) : default;

    /// <summary>Returns the wire path of a control call.</summary>
    public static string Path(string rpc) => $"/control_client.ScsControl/{rpc}";

    private static void Create(string name, ulong maxBytes, CallRouting routing, RpcContext context)
    {
        if (maxBytes > long.MaxValue || !routing.Store.IsQuota((long)maxBytes))
        {
            throw CallRouting.Failure(context, BadQuota(maxBytes, routing.Store.MinQuotaBytes));
        }

        try
        {
            if (!routing.Store.CreateCache(name, (long)maxBytes))
            {
                throw CallRouting.Failure(context, Exists(name));
            }
        }
        catch (InvalidOperationException full)
        {
            throw CallRouting.Failure(context, new CallError(StatusCode.ResourceExhausted, full.Message));
        }
    }

    private static CallError BadQuota(ulong maxBytes, long least) =>
        new(StatusCode.InvalidArgument, $"max_bytes must be 0 (no quota) or at least {least} (twice the maximum item size), but is {maxBytes}");

    private static void RequireFound(string name, Func<string, bool> act, RpcContext context)
    {
        if (!act(name))
        {
            throw CallRouting.Failure(context, CallError.CacheNotFound(name));
        }
    }

    /// <summary>Returns whether ListCaches reports the cache to this caller. The caller needs at least one right in the cache.</summary>
    public static bool CanSee(RpcContext context, string name) => context.Caller is not AuthenticatedCaller known || known.Entry.In(name).IsSome;

    /// <summary>Throws if the name is invalid or the caller may not administer the cache.</summary>
    public static void RequireName(string name, RpcContext context)
    {
        if (!CacheName.IsValid(name))
        {
            throw CallRouting.Failure(
                context,
                new CallError(StatusCode.InvalidArgument, $"a cache name must be 1 to {CacheName.MaxCharacters} characters and not blank"));
        }

        if (context.Caller is AuthenticatedCaller known && !known.Entry.In(name).Has(Rights.Admin))
        {
            Authenticator.NoteDenied(context, known.Entry.Id, name);
            throw CallRouting.Failure(context, AccessErrors.Denied(Rights.Admin, name));
        }
    }

    /// <summary>Creates the error for a cache that already exists.</summary>
    public static CallError Exists(string name) => new(StatusCode.AlreadyExists, $"cache '{name}' already exists");

    // A cache that is deleted after its name was read is skipped.
    private static IEnumerable<(string Name, long MaxBytes)> Quotas(CacheStore store) =>
        store.CacheNames.Select(store.Find).OfType<Cache>().Select(static cache => (cache.Name, cache.MaxBytes));

    /// <summary>Creates the response of ListCaches.</summary>
    public static ListCachesResponse List(IEnumerable<(string Name, long MaxBytes)> caches, CallRules rules)
    {
        ListCachesResponse response = new();
        foreach ((string name, long maxBytes) in caches)
        {
            response.Caches.Add(new CacheInfo
            {
                Name = name,
                MaxBytes = (ulong)maxBytes,
                CacheLimits = new CacheLimits
                {
                    MaxTrafficRate = ReportedRate,
                    MaxThroughputKbps = ReportedThroughputKbps,
                    MaxItemSizeKb = (uint)(rules.MaxItemBytes / 1024),
                    MaxTtlSeconds = (ulong)(rules.MaxTtlMs / 1000),
                },
                TopicLimits = new TopicLimits
                {
                    MaxPublishRate = ReportedRate,
                    MaxSubscriptionCount = Topics.TopicLimits.DefaultSubscribersPerTopic,
                    MaxPublishMessageSizeKb = Topics.TopicLimits.MaxMessageBytes / 1024,
                },
            });
        }

        return response;
    }
}
