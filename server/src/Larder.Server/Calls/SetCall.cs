using System.Buffers;

namespace Larder.Server.Calls;

/// <summary>Set: stores a value with a TTL.</summary>
internal static class SetCall
{
    /// <summary>Gets the encoded message SetResponse{result = Ok}.</summary>
    public static ReadOnlySpan<byte> Ok => [0x08, 0x01];

    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        CallError? error = Store(target, request);
        if (error is null)
        {
            response.WriteMessage(Ok);
        }

        return error;
    }

    /// <summary>Decodes, checks and stores an item. Returns null on success.</summary>
    public static CallError? Store(CallTarget target, ReadOnlySpan<byte> request)
    {
        CallError? error = ItemRequest.Decode(request, out ItemRequest item)
            ?? target.Rules.CheckItem(item.Key, item.Value, item.TtlMs);
        if (error is not null)
        {
            return error;
        }

        try
        {
            target.Cache.Set(item.Key, item.Value, (long)item.TtlMs);
            return null;
        }
        catch (InsufficientMemoryException)
        {
            return CallError.NoMemory;
        }
    }
}
