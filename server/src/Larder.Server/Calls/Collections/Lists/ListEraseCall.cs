using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>ListErase: removes ranges of a list, or all elements.</summary>
internal static class ListEraseCall
{
    /// <summary>The field <c>ListEraseRequest.all</c>.</summary>
    public const int All = 3;

    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        using ChosenElements chosen = ChosenElements.Decode(request);
        if (chosen.Check() is { } error)
        {
            return error;
        }

        if (chosen.Choice == All)
        {
            return CollectionAnswer.EndLength(target.Cache.ListEraseAll(chosen.Name), target, response, 0);
        }

        using ListRanges ranges = ListRanges.Decode(chosen.Chosen, out CallError? malformed);
        if (malformed is not null)
        {
            return malformed;
        }

        CollectionOutcome outcome = target.Cache.ListErase(chosen.Name, ranges.Span, out long length);
        return CollectionAnswer.EndLength(outcome, target, response, length);
    }
}
