using System.Buffers;

namespace Larder.Server.Calls;

/// <summary>ItemGetTtl: returns the remaining TTL of an item.</summary>
internal static class ItemGetTtlCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        if (KeyRequest.Decode(request, out ReadOnlySpan<byte> key) is { } error)
        {
            return error;
        }

        if (target.Cache.TryGetTtl(key, out long remainingMs))
        {
            ItemGetTtlAnswer.Found(response, (ulong)remainingMs);
        }
        else
        {
            ItemGetTtlAnswer.Missing(response);
        }

        return null;
    }
}
