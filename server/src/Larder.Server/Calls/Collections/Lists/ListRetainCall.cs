using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>ListRetain: keeps a slice and removes the other elements. The TTL is validated only if the request refreshes it.</summary>
internal static class ListRetainCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        CallError? error = SliceRequest.Decode(request, out SliceRequest fields)
            ?? (fields.Refresh ? target.Rules.CheckTtl(fields.TtlMs) : null);
        if (error is not null)
        {
            return error;
        }

        CollectionTtl ttl = new((long)Math.Min(fields.TtlMs, (ulong)target.Rules.MaxTtlMs), fields.Refresh);
        return CollectionAnswer.EndLength(target.Cache.ListRetain(fields.Name, fields.Slice, ttl, out long length), target, response, length);
    }
}
