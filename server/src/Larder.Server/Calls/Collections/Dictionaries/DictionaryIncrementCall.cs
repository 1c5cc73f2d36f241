using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>DictionaryIncrement: adds an amount to the integer in a field. A missing field is treated as 0.</summary>
internal static class DictionaryIncrementCall
{
    /// <summary>The maximum length of an int64 in base 10, including its sign.</summary>
    public const int ValueBytes = 20;

    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        CallError? error = ElementIncrement.Decode(request, target.Rules, ValueBytes, out ElementIncrement fields)
            ?? (fields.Element.IsEmpty ? CollectionErrors.EmptyField : null);
        if (error is not null)
        {
            return error;
        }

        CollectionOutcome outcome = target.Cache.DictionaryIncrement(fields.Name, fields.Element, fields.Amount, fields.Ttl, out long value);
        error = CollectionErrors.Of(outcome, target);
        if (error is null)
        {
            response.WriteVarint(1, (ulong)value);
        }

        return error;
    }
}
