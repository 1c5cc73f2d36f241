using System.Buffers;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Calls;
using Larder.Server.Security;
using Larder.Server.Services;
using Larder.Store;
using Larder.Wire;

namespace Larder.Server.Leases;

/// <summary>Leases and tags of <c>larder.v1.Extras</c>, of a server that holds its items itself.</summary>
internal static class LeaseService
{
    public const string GetOrLeasePath = "/larder.v1.Extras/GetOrLease";
    public const string SetWithLeasePath = "/larder.v1.Extras/SetWithLease";
    public const string ReleaseLeasePath = "/larder.v1.Extras/ReleaseLease";
    public const string RemoveByTagPath = "/larder.v1.Extras/RemoveByTag";

    public static readonly IReadOnlyList<string> Paths = [GetOrLeasePath, SetWithLeasePath, ReleaseLeasePath, RemoveByTagPath];

    public static void Map(RpcRouter router, CallRouting routing)
    {
        router.MapUnary(GetOrLeasePath, (request, response, context) => GetOrLeaseAsync(routing, request, response, context));
        router.MapUnary(SetWithLeasePath, (request, response, context) => Answer(SetWithLease(routing, request, context), response));
        router.MapUnary(ReleaseLeasePath, (request, response, context) => Answer(ReleaseLease(routing, request, context), response));
        router.MapUnary(RemoveByTagPath, (request, response, context) => Answer(RemoveByTag(routing, request, context), response));
    }

    private static async ValueTask GetOrLeaseAsync(CallRouting routing, ReadOnlySequence<byte> bytes, IBufferWriter<byte> response, RpcContext context)
    {
        GetOrLeaseRequest request = ExtrasService.Decode(GetOrLeaseRequest.Parser, bytes, context);
        Cache cache = Begin(routing, context, GetOrLeasePath, request.Key);
        if (request.LeaseMs is 0 or > LeaseLimits.MaxLeaseMs)
        {
            throw CallRouting.Failure(context, LeaseErrors.BadLease(request.LeaseMs));
        }

        if (await new LeaseWait(cache, request, response, context).RunAsync().ConfigureAwait(false) is { } error)
        {
            throw CallRouting.Failure(context, error);
        }
    }

    private static SetWithLeaseResponse SetWithLease(CallRouting routing, in ReadOnlySequence<byte> bytes, RpcContext context)
    {
        SetWithLeaseRequest request = ExtrasService.Decode(SetWithLeaseRequest.Parser, bytes, context);
        Cache cache = Begin(routing, context, SetWithLeasePath, request.Key);
        ulong[]? tags = TagList.Hash(request.Tags, out CallError? badTag);
        CallError? error = routing.Rules.CheckItem(request.Key.Span, request.Value.Span, request.TtlMs)
            ?? (request.StaleMs > (ulong)routing.Rules.MaxTtlMs ? LeaseErrors.BadStaleTime(request.StaleMs, routing.Rules.MaxTtlMs) : badTag);
        if (error is not null)
        {
            throw CallRouting.Failure(context, error);
        }

        return Store(cache, request, tags!, context) ? new() { Stored = new() } : new() { NotStored = new() };
    }

    private static bool Store(Cache cache, SetWithLeaseRequest request, ulong[] tags, RpcContext context)
    {
        try
        {
            if (!request.Token.IsEmpty)
            {
                return cache.SetLeased(request.Key.Span, request.Value.Span, (long)request.TtlMs, (long)request.StaleMs, tags, request.Token.Span);
            }

            cache.SetWith(request.Key.Span, request.Value.Span, (long)request.TtlMs, new ItemExtras(tags, (long)request.StaleMs, cache.Removals));
            return true;
        }
        catch (InsufficientMemoryException)
        {
            throw CallRouting.Failure(context, CallError.NoMemory);
        }
    }

    private static ReleaseLeaseResponse ReleaseLease(CallRouting routing, in ReadOnlySequence<byte> bytes, RpcContext context)
    {
        ReleaseLeaseRequest request = ExtrasService.Decode(ReleaseLeaseRequest.Parser, bytes, context);
        Begin(routing, context, ReleaseLeasePath, request.Key).GiveLeaseBack(request.Key.Span, request.Token.Span);
        return new();
    }

    private static RemoveByTagResponse RemoveByTag(CallRouting routing, in ReadOnlySequence<byte> bytes, RpcContext context)
    {
        RemoveByTagRequest request = ExtrasService.Decode(RemoveByTagRequest.Parser, bytes, context);
        Cache cache = Find(routing, context);
        ulong[]? tags = TagList.Hash(request.Tags, out CallError? badTag);

        // A tag's items may have any key.
        CallError? denied = context.Caller is CacheRights rights && !rights.Has(Rights.Write) ? AccessErrors.Denied(Rights.Write, cache.Name) : null;
        if ((denied ?? badTag ?? (tags!.Length == 0 ? LeaseErrors.NoTags : null)) is { } error)
        {
            throw CallRouting.Failure(context, error);
        }

        cache.RemoveByTags(tags);
        return new();
    }

    private static Cache Begin(CallRouting routing, RpcContext context, string path, ByteString key)
    {
        Cache cache = Find(routing, context);
        Rights needs = CallPolicy.Of(path)!.Needs;
        CallError? error = CallRules.CheckKey(key.Span)
            ?? (context.Caller is CacheRights rights && !rights.Allows(needs, key.Span) ? AccessErrors.DeniedKey(needs, cache.Name) : null);
        return error is null ? cache : throw CallRouting.Failure(context, error);
    }

    private static Cache Find(CallRouting routing, RpcContext context) =>
        routing.FindTarget(context, out CallTarget target) is { } error ? throw CallRouting.Failure(context, error) : target.Cache;

    private static ValueTask Answer(IMessage answer, IBufferWriter<byte> response)
    {
        answer.WriteTo(response);
        return ValueTask.CompletedTask;
    }
}
