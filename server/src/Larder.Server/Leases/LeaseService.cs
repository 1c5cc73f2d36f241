using System.Buffers;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Calls;
using Larder.Server.Security;
using Larder.Server.Services;
using Larder.Store;
using Larder.Wire;

namespace Larder.Server.Leases;

/// <summary>The lease and tag calls of <c>larder.v1.Extras</c>, for a server that stores its items in its own memory.</summary>
internal static class LeaseService
{
    public const string GetOrLeasePath = "/larder.v1.Extras/GetOrLease";
    public const string SetWithLeasePath = "/larder.v1.Extras/SetWithLease";
    public const string ReleaseLeasePath = "/larder.v1.Extras/ReleaseLease";
    public const string RemoveByTagPath = "/larder.v1.Extras/RemoveByTag";

    // The field RemoveByTagRequest.tags.
    public const int RemovedTagsField = 1;

    public static readonly IReadOnlyList<string> Paths = [GetOrLeasePath, SetWithLeasePath, ReleaseLeasePath, RemoveByTagPath];

    public static void Map(RpcRouter router, CallRouting routing)
    {
        router.MapUnary(GetOrLeasePath, (request, response, context) => GetOrLeaseAsync(routing, request, response, context));
        router.MapUnary(SetWithLeasePath, (request, response, context) => Answer(SetWithLease(routing, request, context), response));
        router.MapUnary(ReleaseLeasePath, (request, response, context) => Answer(ReleaseLease(routing, request, context), response));
        router.MapUnary(RemoveByTagPath, (request, response, context) => Answer(RemoveByTag(routing, request, context), response));
    }

    /// <summary>Checks the key of a call and the caller's rights to it. Returns null if the call is allowed.</summary>
    public static CallError? CheckKey(string path, ReadOnlySpan<byte> key, string cache, RpcContext context)
    {
        Rights needs = CallPolicy.Of(path)!.Needs;
        return CallRules.CheckKey(key) ?? (context.Caller is CacheRights rights && !rights.Allows(needs, key) ? AccessErrors.DeniedKey(needs, cache) : null);
    }

    /// <summary>Checks the duration of the requested lease. Returns null if it is valid.</summary>
    public static CallError? CheckLease(uint leaseMs) => leaseMs is 0 or > LeaseLimits.MaxLeaseMs ? LeaseErrors.BadLease(leaseMs) : null;

    /// <summary>Checks the item of a SetWithLease. Returns null if it is valid.</summary>
    public static CallError? CheckItem(CallRules rules, scoped in SetWithLeaseFields fields, CallError? badTag) =>
        rules.CheckItem(fields.Key, fields.Value, fields.TtlMs)
            ?? (fields.StaleMs > (ulong)rules.MaxTtlMs ? LeaseErrors.BadStaleTime(fields.StaleMs, rules.MaxTtlMs) : badTag)
            ?? (fields.Validator.Length > Cache.MaxValidatorBytes ? LeaseErrors.BadValidator : null);

    /// <summary>Checks the tags of a RemoveByTag and the caller's rights. Returns null if the call is allowed.</summary>
    public static CallError? CheckRemoval(ulong[]? tags, CallError? badTag, string cache, RpcContext context)
    {
        // Items with a tag may have any key, so a right that is limited to a key prefix is not sufficient.
        CallError? denied = context.Caller is CacheRights rights && !rights.Has(Rights.Write) ? AccessErrors.Denied(Rights.Write, cache) : null;
        return denied ?? badTag ?? (tags!.Length == 0 ? LeaseErrors.NoTags : null);
    }

    private static async ValueTask GetOrLeaseAsync(CallRouting routing, ReadOnlySequence<byte> bytes, IBufferWriter<byte> response, RpcContext context)
    {
        CallRouting.Require(GetOrLeaseFields.Decode(FieldMemory.Whole(bytes), out GetOrLeaseFields fields), context);
        Cache cache = Begin(routing, context, GetOrLeasePath, fields.Key.Span);
        CallRouting.Require(CheckLease(fields.LeaseMs), context);
        if (await new LeaseWait(cache, fields, response, context).RunAsync().ConfigureAwait(false) is { } error)
        {
            throw CallRouting.Failure(context, error);
        }
    }

    private static SetWithLeaseResponse SetWithLease(CallRouting routing, in ReadOnlySequence<byte> bytes, RpcContext context)
    {
        ReadOnlySpan<byte> request = FieldMemory.Whole(bytes).Span;
        CallRouting.Require(SetWithLeaseFields.Decode(request, out SetWithLeaseFields fields), context);
        Cache cache = Begin(routing, context, SetWithLeasePath, fields.Key);
        ulong[]? tags = TagList.Hash(request, SetWithLeaseFields.TagsField, out CallError? badTag);
        CallRouting.Require(CheckItem(routing.Rules, fields, badTag), context);
        return Store(cache, fields, tags!, context) ? new() { Stored = new() } : new() { NotStored = new() };
    }

    private static bool Store(Cache cache, scoped in SetWithLeaseFields fields, ulong[] tags, RpcContext context)
    {
        try
        {
            if (!fields.Token.IsEmpty)
            {
                return cache.SetLeased(fields.Key, fields.Value, (long)fields.TtlMs, (long)fields.StaleMs, tags, fields.Token, fields.Validator);
            }

            ItemExtras extras = new(tags, (long)fields.StaleMs, cache.Removals, fields.Validator);
            cache.SetWith(fields.Key, fields.Value, (long)fields.TtlMs, extras);
            return true;
        }
        catch (InsufficientMemoryException)
        {
            throw CallRouting.Failure(context, CallError.NoMemory);
        }
    }

    private static ReleaseLeaseResponse ReleaseLease(CallRouting routing, in ReadOnlySequence<byte> bytes, RpcContext context)
    {
        CallRouting.Require(ReleaseLeaseFields.Decode(FieldMemory.Whole(bytes).Span, out ReleaseLeaseFields fields), context);
        Begin(routing, context, ReleaseLeasePath, fields.Key).GiveLeaseBack(fields.Key, fields.Token);
        return new();
    }

    private static RemoveByTagResponse RemoveByTag(CallRouting routing, in ReadOnlySequence<byte> bytes, RpcContext context)
    {
        ulong[]? tags = TagList.Hash(FieldMemory.Whole(bytes).Span, RemovedTagsField, out CallError? badTag);
        Cache cache = Find(routing, context);
        CallRouting.Require(CheckRemoval(tags, badTag, cache.Name, context), context);
        cache.RemoveByTags(tags!);
        return new();
    }

    private static Cache Begin(CallRouting routing, RpcContext context, string path, ReadOnlySpan<byte> key)
    {
        Cache cache = Find(routing, context);
        CallRouting.Require(CheckKey(path, key, cache.Name, context), context);
        return cache;
    }

    private static Cache Find(CallRouting routing, RpcContext context) =>
        routing.FindTarget(context, out CallTarget target) is { } error ? throw CallRouting.Failure(context, error) : target.Cache;

    private static ValueTask Answer(IMessage answer, IBufferWriter<byte> response)
    {
        answer.WriteTo(response);
        return ValueTask.CompletedTask;
    }
}
