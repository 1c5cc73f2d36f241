using Google.Protobuf;
using Google.Protobuf.Collections;
using Larder.Server.Calls;
using Larder.Store;

namespace Larder.Server.Leases;

/// <summary>The tags of a request.</summary>
internal static class TagList
{
    /// <summary>What the tags are known by; null where one of them cannot be.</summary>
    public static ulong[]? Hash(RepeatedField<ByteString> tags, out CallError? error)
    {
        bool isGood = tags.Count <= Cache.MaxTags && tags.All(static tag => tag.Length is > 0 and <= LeaseLimits.MaxTagBytes);
        error = isGood ? null : LeaseErrors.BadTag;
        return isGood ? [.. tags.Select(static tag => Cache.HashTag(tag.Span)).Distinct()] : null;
    }
}
