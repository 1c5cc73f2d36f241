using Larder.Server.Calls;
using Larder.Store;
using Larder.Wire.Protobuf;

namespace Larder.Server.Leases;

/// <summary>Parses the tags of a request.</summary>
internal static class TagList
{
    /// <summary>Parses the tags without copying them. Returns only their distinct hashes. Stops with an error if there are too many tags.</summary>
    /// <param name="request">The request.</param>
    /// <param name="field">The number of the repeated field.</param>
    /// <param name="error">The error; null on success.</param>
    /// <returns>The hashes; null if the tags are invalid.</returns>
    public static ulong[]? Hash(ReadOnlySpan<byte> request, int field, out CallError? error)
    {
        Span<ulong> hashes = stackalloc ulong[Cache.MaxTags];
        int tags = 0;
        int distinct = 0;
        error = null;
        ProtoReader reader = new(request);
        while (error is null && reader.NextField())
        {
            if (!reader.Is(field, ProtoWireType.LengthDelimited))
            {
                reader.TrySkip();
            }
            else if (reader.TryReadBytes(out ReadOnlySpan<byte> tag))
            {
                if (++tags > Cache.MaxTags || tag.Length is 0 or > LeaseLimits.MaxTagBytes)
                {
                    error = LeaseErrors.BadTag;
                }
                else if (Cache.HashTag(tag) is var hash && !hashes[..distinct].Contains(hash))
                {
                    hashes[distinct++] = hash;
                }
            }
        }

        error ??= reader.IsMalformed ? CallError.Malformed : null;
        return error is null ? hashes[..distinct].ToArray() : null;
    }
}
