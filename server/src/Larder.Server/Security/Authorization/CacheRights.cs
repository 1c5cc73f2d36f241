using Larder.Server.Calls;
using Larder.Server.Services;
using Larder.Wire;
using Larder.Wire.Protobuf;

namespace Larder.Server.Security;

/// <summary>The rights of a token in one cache. Immutable.</summary>
internal sealed class CacheRights
{
    // The rights from grants for all caches; null if this instance itself represents these rights.
    private readonly CacheRights? _everywhere;
    private readonly Rights _anyKey;
    private readonly PrefixSet _readable;
    private readonly PrefixSet _writable;
    private readonly PrefixSet _readableTopics;
    private readonly PrefixSet _writableTopics;

    /// <param name="grants">The grants for the cache.</param>
    /// <param name="everywhere">The rights from grants for all caches. They apply in addition to <paramref name="grants"/>.</param>
    public CacheRights(IReadOnlyList<Grant> grants, CacheRights? everywhere = null)
    {
        _everywhere = everywhere;
        Whole = grants.Where(static each => each.KeyPrefix is null).Aggregate(everywhere?.Whole ?? Rights.None, static (all, each) => all | each.Rights);
        _readable = PrefixesOf(grants, Rights.Read);
        _writable = PrefixesOf(grants, Rights.Write);
        Topics = grants.Where(static each => !each.HasTopicScope).Aggregate(everywhere?.Topics ?? Rights.None, static (all, each) => all | each.AllTopics);
        _readableTopics = TopicsOf(grants, Rights.Read);
        _writableTopics = TopicsOf(grants, Rights.Write);
        IsSome = grants.Count > 0 || (everywhere?.IsSome ?? false);
        _anyKey = Whole | (everywhere?._anyKey ?? Rights.None)
            | (_readable.IsEmpty ? Rights.None : Rights.Read) | (_writable.IsEmpty ? Rights.None : Rights.Write);
        OpenFields = CallPolicy.FieldsWithin(Whole);
    }

    /// <summary>Gets the rights that apply to every key.</summary>
    public Rights Whole { get; }

    /// <summary>Gets the rights that apply to every topic of the cache.</summary>
    public Rights Topics { get; }

    /// <summary>Gets a bit set of the pipeline fields that are allowed for any key. The bits of unknown fields are also set.</summary>
    public ulong OpenFields { get; }

    /// <summary>Gets whether the token has any rights in the cache, for items or topics.</summary>
    public bool IsSome { get; }

    /// <summary>Returns whether these rights apply to every key.</summary>
    public bool Has(Rights needs) => (Whole & needs) == needs;

    /// <summary>Returns whether these rights apply to at least one key.</summary>
    public bool HasSome(Rights needs) => (_anyKey & needs) == needs;

    /// <summary>Returns whether these rights apply to a key.</summary>
    public bool Allows(Rights needs, ReadOnlySpan<byte> key)
    {
        Rights missing = needs & ~Whole;
        return (missing & Rights.Admin) == 0
            && ((missing & Rights.Read) == 0 || CoversRead(key))
            && ((missing & Rights.Write) == 0 || CoversWrite(key));
    }

    /// <summary>Returns whether these rights apply to every key with the given prefix.</summary>
    public bool AllowsAll(Rights needs, ReadOnlySpan<byte> beginning)
    {
        Rights missing = needs & ~Whole;
        return (missing & Rights.Admin) == 0
            && ((missing & Rights.Read) == 0 || _readable.CoversAll(beginning) || (_everywhere?._readable.CoversAll(beginning) ?? false))
            && ((missing & Rights.Write) == 0 || _writable.CoversAll(beginning) || (_everywhere?._writable.CoversAll(beginning) ?? false));
    }

    /// <summary>Returns whether these rights apply to a topic.</summary>
    /// <param name="needs">Read, write or both.</param>
    /// <param name="topic">The topic name in UTF-8.</param>
    public bool AllowsTopic(Rights needs, ReadOnlySpan<byte> topic)
    {
        Rights missing = needs & ~Topics;
        return ((missing & Rights.Read) == 0 || _readableTopics.Covers(topic) || (_everywhere?._readableTopics.Covers(topic) ?? false))
            && ((missing & Rights.Write) == 0 || _writableTopics.Covers(topic) || (_everywhere?._writableTopics.Covers(topic) ?? false));
    }

    /// <summary>Returns whether these rights apply to every topic whose name has the given prefix.</summary>
    public bool AllowsAllTopics(Rights needs, ReadOnlySpan<byte> beginning)
    {
        Rights missing = needs & ~Topics;
        return ((missing & Rights.Read) == 0 || _readableTopics.CoversAll(beginning) || (_everywhere?._readableTopics.CoversAll(beginning) ?? false))
            && ((missing & Rights.Write) == 0 || _writableTopics.CoversAll(beginning) || (_everywhere?._writableTopics.CoversAll(beginning) ?? false));
    }

    /// <summary>Checks the request of a call whose metadata have already been checked. Returns null if the call is allowed, otherwise the error.</summary>
    /// <param name="context">The call.</param>
    /// <param name="policy">The rights that the call needs.</param>
    /// <param name="request">The encoded request.</param>
    public static CallError? Refuse(RpcContext context, CallPolicy policy, ReadOnlySpan<byte> request) =>
        context.Caller is CacheRights rights ? rights.Refuse(policy, request, context.RequestHeaders[CallRouting.CacheHeader]) : null;

    /// <summary>Checks a request. Returns null if the call is allowed, otherwise the error.</summary>
    /// <param name="policy">The rights that the call needs.</param>
    /// <param name="request">The encoded request. If it cannot be parsed, the error is "malformed".</param>
    /// <param name="cache">The cache name, which is used in the error message.</param>
    public CallError? Refuse(CallPolicy policy, ReadOnlySpan<byte> request, string cache) =>
        Has(policy.Most) ? null : RefuseByRequest(policy, request, cache);

    /// <summary>
    /// Narrows the prefix of a scan to the readable keys. If all keys with the prefix are readable, the prefix does not change. Otherwise the result is a
    /// longer prefix that all readable keys have in common. The caller must still check the keys that the scan finds with <see cref="Allows"/>.
    /// </summary>
    /// <returns>False if no key with that prefix is readable.</returns>
    public bool TryNarrow(ReadOnlyMemory<byte> prefix, out ReadOnlyMemory<byte> narrowed)
    {
        narrowed = prefix;
        if (AllowsAll(Rights.Read, prefix.Span))
        {
            return true;
        }

        byte[]? common = null;
        foreach (byte[] each in _readable.StartingWith(prefix).Concat(_everywhere?._readable.StartingWith(prefix) ?? []))
        {
            common = common is null ? each : each[..each.AsSpan().CommonPrefixLength(common)];
        }

        narrowed = common;
        return common is not null;
    }

    private static PrefixSet PrefixesOf(IReadOnlyList<Grant> grants, Rights rights) =>
        SetOf(grants.Where(each => each.KeyPrefix is not null && (each.Rights & rights) != 0));

    private static PrefixSet TopicsOf(IReadOnlyList<Grant> grants, Rights rights) =>
        SetOf(grants.Where(each => each.HasTopicScope && (each.Topics & rights) != 0));

    private static PrefixSet SetOf(IEnumerable<Grant> grants)
    {
        Grant[] within = [.. grants];
        return within.Length == 0
            ? PrefixSet.Empty
            : new PrefixSet(
                within.Where(static each => !each.IsKey).Select(static each => each.KeyPrefix!),
                within.Where(static each => each.IsKey).Select(static each => each.KeyPrefix!));
    }

    private bool CoversRead(ReadOnlySpan<byte> key) => _readable.Covers(key) || (_everywhere?._readable.Covers(key) ?? false);

    private bool CoversWrite(ReadOnlySpan<byte> key) => _writable.Covers(key) || (_everywhere?._writable.Covers(key) ?? false);

    // Checks every key in the message, even a key that a later occurrence of the same field overrides.
    private CallError? RefuseByRequest(CallPolicy policy, ReadOnlySpan<byte> request, string cache)
    {
        Rights needs = policy.StrongerArm != 0 && HasField(request, policy.StrongerArm) ? policy.StrongerNeeds : policy.Needs;
        if (Has(needs))
        {
            return null;
        }

        if (!HasSome(needs) || policy.Keys.Length == 0)
        {
            return AccessErrors.Denied(needs, cache);
        }

        foreach (KeyField keys in policy.Keys)
        {
            ProtoReader reader = new(request);
            if (!AllowsEach(needs, ref reader, keys))
            {
                return reader.IsMalformed ? CallError.Malformed : AccessErrors.DeniedKey(needs, cache);
            }
        }

        return null;
    }

    // Returns whether every key in the message is allowed. Returns false if the message is malformed.
    private bool AllowsEach(Rights needs, scoped ref ProtoReader reader, KeyField keys)
    {
        while (reader.NextField())
        {
            if (!reader.Is(keys.Field, ProtoWireType.LengthDelimited))
            {
                reader.TrySkip();
                continue;
            }

            if (!reader.TryReadBytes(out ReadOnlySpan<byte> bytes))
            {
                break;
            }

            if (keys.Within == 0 ? !Allows(needs, bytes) : !AllowsWithin(needs, bytes, keys.Within))
            {
                return false;
            }
        }

        return !reader.IsMalformed;
    }

    private bool AllowsWithin(Rights needs, ReadOnlySpan<byte> item, int field)
    {
        ProtoReader reader = new(item);
        return AllowsEach(needs, ref reader, new KeyField(field, 0));
    }

    private static bool HasField(ReadOnlySpan<byte> request, int field)
    {
        ProtoReader reader = new(request);
        while (reader.NextField())
        {
            if (reader.Field == field)
            {
                return true;
            }

            reader.TrySkip();
        }

        return false;
    }
}
