using System.Buffers;
using Larder.Store;

namespace Larder.Server.Calls;

/// <summary>SetIfHash: stores an item if the hash of the current value meets a condition, and returns the hash of the new value.</summary>
internal static class SetIfHashCall
{
    private const int Stored = 1;
    private const int NotStored = 2;

    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        CallError? error = ItemRequest.Decode(request, out ItemRequest item)
            ?? target.Rules.CheckItem(item.Key, item.Value, item.TtlMs);
        SetCondition condition = default;
        if ((error ?? DecodeCondition(item, out condition)) is { } refused)
        {
            return refused;
        }

        // The response contains the hash of the new value. The cost of hashing depends on the size of this value.
        if (CallPace.Defers(CallCost.ToHash(item.Value.Length)))
        {
            return CallError.Deferred;
        }

        switch (target.Cache.StoreIf(item.Key, item.Value, (long)item.TtlMs, condition))
        {
            case SetOutcome.Stored:
                WriteStored(response, item.Value);
                return null;
            case SetOutcome.NotStored:
                response.WriteEmptyArm(NotStored);
                return null;
            case SetOutcome.Deferred:
                return CallError.Deferred;
            default:
                return CallError.WrongType;
        }
    }

    private static void WriteStored(IBufferWriter<byte> response, ReadOnlySpan<byte> value)
    {
        Span<byte> hash = stackalloc byte[Cache.ValueHashBytes];
        hash = hash[..Cache.HashValue(value, hash)];
        response.WriteBytesArm(Stored, hash);
    }

    private static CallError? DecodeCondition(scoped in ItemRequest item, out SetCondition condition)
    {
        condition = default;
        if (item.ConditionField is 0 or 9)
        {
            return CallError.NoCondition;
        }

        CallError? error = item.DecodeComparand(out ReadOnlySpan<byte> hash);
        if (error is null)
        {
            condition = item.ConditionField switch
            {
                4 => SetCondition.PresentAndNotHashEqual(hash),
                5 => SetCondition.PresentAndHashEqual(hash),
                6 => SetCondition.AbsentOrHashEqual(hash),
                7 => SetCondition.AbsentOrNotHashEqual(hash),
                _ => SetCondition.Unconditional,
            };
        }

        return error;
    }
}
