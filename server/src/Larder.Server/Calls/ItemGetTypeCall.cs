using System.Buffers;
using Larder.Store;

namespace Larder.Server.Calls;

/// <summary>ItemGetType: returns the type of an item.</summary>
internal static class ItemGetTypeCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        if (KeyRequest.Decode(request, out ReadOnlySpan<byte> key) is { } error)
        {
            return error;
        }

        if (target.Cache.TryGetType(key, out ItemType type))
        {
            ItemGetTypeAnswer.Found(response, (ulong)type);
        }
        else
        {
            ItemGetTypeAnswer.Missing(response);
        }

        return null;
    }
}
