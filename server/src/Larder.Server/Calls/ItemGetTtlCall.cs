using System.Buffers;

namespace Larder.Server.Calls;

/// <summary>ItemGetTtl: the time that an item has left.</summary>
internal static class ItemGetTtlCall
{
    private const int Found = 1;
    private const int Missing = 2;

    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        if (KeyRequest.Decode(request, out ReadOnlySpan<byte> key) is { } error)
        {
            return error;
        }

        if (target.Cache.TryGetTtl(key, out long remainingMs))
        {
            response.WriteVarintArm(Found, (ulong)remainingMs);
        }
        else
        {
            response.WriteEmptyArm(Missing);
        }

        return null;
    }
}
