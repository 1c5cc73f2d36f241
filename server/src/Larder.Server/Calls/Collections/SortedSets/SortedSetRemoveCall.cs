using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>SortedSetRemove: removes some or all elements.</summary>
internal static class SortedSetRemoveCall
{
    /// <summary>The field <c>SortedSetRemoveRequest.all</c>.</summary>
    public const int All = 2;

    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        using ChosenElements elements = ChosenElements.Decode(request);
        CallError? error = elements.Check() ?? (elements.Choice == All ? null : elements.ReadElements(target.Rules));
        if (error is not null)
        {
            return error;
        }

        // SortedSetRemoveResponse has no fields, so nothing is written.
        CollectionOutcome outcome = elements.Choice == All
            ? target.Cache.SortedSetRemoveAll(elements.Name)
            : target.Cache.SortedSetRemove(elements.Name, elements.Elements);
        return CollectionErrors.Of(outcome, target);
    }
}
