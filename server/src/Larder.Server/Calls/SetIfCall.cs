using System.Buffers;
using Larder.Store;

namespace Larder.Server.Calls;

/// <summary>SetIf: stores an item if the current value meets a condition.</summary>
internal static class SetIfCall
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

        SetOutcome outcome = target.Cache.StoreIf(item.Key, item.Value, (long)item.TtlMs, condition);
        if (outcome == SetOutcome.WrongType)
        {
            return CallError.WrongType;
        }

        response.WriteEmptyArm(outcome == SetOutcome.Stored ? Stored : NotStored);
        return null;
    }

    private static CallError? DecodeCondition(scoped in ItemRequest item, out SetCondition condition)
    {
        condition = default;
        if (item.ConditionField == 0)
        {
            return CallError.NoCondition;
        }

        CallError? error = item.DecodeComparand(out ReadOnlySpan<byte> comparand);
        if (error is null)
        {
            condition = item.ConditionField switch
            {
                4 => SetCondition.Present,
                5 => SetCondition.PresentAndNotEqual(comparand),
                6 => SetCondition.Absent,
                7 => SetCondition.Equal(comparand),
                8 => SetCondition.AbsentOrEqual(comparand),
                _ => SetCondition.NotEqual(comparand),
            };
        }

        return error;
    }
}
