using System.Buffers;
using Larder.Store;

namespace Larder.Server.Calls;

/// <summary>SetIfNotExists: stores an item if the key is missing.</summary>
internal static class SetIfNotExistsCall
{
    private const int Stored = 1;
    private const int NotStored = 2;

    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        CallError? error = ItemRequest.Decode(request, out ItemRequest item)
            ?? target.Rules.CheckItem(item.Key, item.Value, item.TtlMs);
        if (error is not null)
        {
            return error;
        }

        bool stored = target.Cache.SetIf(item.Key, item.Value, (long)item.TtlMs, SetCondition.Absent);
        response.WriteEmptyArm(stored ? Stored : NotStored);
        return null;
    }
}
