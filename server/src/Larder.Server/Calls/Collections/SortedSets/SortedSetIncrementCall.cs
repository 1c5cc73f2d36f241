using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>SortedSetIncrement: adds an amount to the score of an element. The score of a missing element is treated as 0.</summary>
internal static class SortedSetIncrementCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        CallError? error = ElementIncrement.Decode(request, target.Rules, 0, out ElementIncrement fields)
            ?? (double.IsNaN(fields.Score) ? CollectionErrors.NoNumber : null);
        if (error is not null)
        {
            return error;
        }

        CollectionOutcome outcome = target.Cache.SortedSetIncrement(fields.Name, fields.Element, fields.Score, fields.Ttl, out double score);
        error = CollectionErrors.Of(outcome, target);
        if (error is null)
        {
            response.WriteDouble(1, score);
        }

        return error;
    }
}
