using System.Buffers;
using Larder.Store;

namespace Larder.Server.Calls;

/// <summary>
/// Increment: adds an amount to an integer, which is stored in base 10. A missing integer is treated as 0. Refreshes the TTL unless the request keeps the TTL.
/// </summary>
internal static class IncrementCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        CallError? error = IncrementFields.Decode(request, out IncrementFields fields)
            ?? target.Rules.CheckItem(fields.Key, default, fields.TtlMs);
        return error ?? target.Cache.Increment(fields.Key, fields.Amount, (long)fields.TtlMs, out long value, fields.KeepTtl) switch
        {
            IncrementOutcome.NotAnInteger => CallError.NotAnInteger,
            IncrementOutcome.WrongType => CallError.WrongType,
            IncrementOutcome.Overflow => CallError.Overflow,
            IncrementOutcome.NoCache => CallError.CacheNotFound(target.Cache.Name),
            _ => Answer(response, value),
        };
    }

    private static CallError? Answer(IBufferWriter<byte> response, long value)
    {
        IncrementAnswer.Success(response, value);
        return null;
    }
}
