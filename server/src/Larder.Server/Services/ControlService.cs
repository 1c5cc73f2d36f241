using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Services;

/// <summary>The calls that make, drop, list and empty caches.</summary>
internal static class ControlService
{
    public static readonly IReadOnlyList<string> Paths = [Path("CreateCache"), Path("DeleteCache"), Path("ListCaches"), Path("FlushCache")];

    // There is no rate limit: what is reported is what a link of this kind could carry, so that clients never hold back.
    private const uint ReportedRate = 1_000_000;
    private const uint ReportedThroughputKbps = 10_485_760;

    public static void Map(RpcRouter router, CallRouting routing)
    {
        MapName(router, "CreateCache", (name, context) =>
        {
            Create(name, routing, context);
            return default;
        });
        MapName(router, "DeleteCache", (name, context) =>
        {
            RequireFound(name, routing.Store.DeleteCache, context);
            return Noted(routing, name, isDeleted: true);
        });
        MapName(router, "FlushCache", (name, context) =>
        {
            RequireFound(name, routing.Store.FlushCache, context);
            return Noted(routing, name, isDeleted: false);
        });
        router.MapUnary(Path("ListCaches"), (request, response, context) =>
        {
            NameRequest.Decode(request, context);
            List(routing.Store.CacheNames, routing.Rules).WriteTo(response);
            return default;
        });
    }

    // Their answers have no fields: nothing is written.
    private static void MapName(RpcRouter router, string rpc, Func<string, RpcContext, ValueTask> act) =>
        router.MapUnary(Path(rpc), (request, _, context) => act(NameRequest.Decode(request, context), context));

    private static ValueTask Noted(CallRouting routing, string name, bool isDeleted) =>
        routing.Snapshots is { } snapshots ? new ValueTask(snapshots.NoteFlushAsync(name, isDeleted)) : default;

    /// <summary>The wire path of a control call.</summary>
    public static string Path(string rpc) => $"/control_client.ScsControl/{rpc}";

    private static void Create(string name, CallRouting routing, RpcContext context)
    {
        RequireName(name, context);
        try
        {
            if (!routing.Store.CreateCache(name))
            {
                throw CallRouting.Failure(context, Exists(name));
            }
        }
        catch (InvalidOperationException full)
        {
            throw CallRouting.Failure(context, new CallError(StatusCode.ResourceExhausted, full.Message));
        }
    }

    private static void RequireFound(string name, Func<string, bool> act, RpcContext context)
    {
        RequireName(name, context);
        if (!act(name))
        {
            throw CallRouting.Failure(context, CallError.CacheNotFound(name));
        }
    }

    /// <summary>Throws where no cache can have the name.</summary>
    public static void RequireName(string name, RpcContext context)
    {
        if (!CacheName.IsValid(name))
        {
            throw CallRouting.Failure(
                context,
                new CallError(StatusCode.InvalidArgument, $"a cache's name is 1 to {CacheName.MaxCharacters} characters and not blank"));
        }
    }

    /// <summary>What a cache that is to be created fails with where it is there.</summary>
    public static CallError Exists(string name) => new(StatusCode.AlreadyExists, $"cache '{name}' already exists");

    /// <summary>The answer of ListCaches.</summary>
    public static ListCachesResponse List(IEnumerable<string> names, CallRules rules)
    {
        ListCachesResponse response = new();
        foreach (string name in names)
        {
            response.Caches.Add(new CacheInfo
            {
                Name = name,
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
                    MaxSubscriptionCount = 0,
                    MaxPublishMessageSizeKb = (uint)(rules.MaxItemBytes / 1024),
                },
            });
        }

        return response;
    }
}
