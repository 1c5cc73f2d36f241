using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>ListRemove: removes all elements with a given value.</summary>
internal static class ListRemoveCall
{
    /// <summary>The field <c>ListRemoveRequest.all_with_value</c>.</summary>
    public const int AllWithValue = 2;

    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        using ChosenElements chosen = ChosenElements.Decode(request);
        CallError? error = chosen.Check() ?? (chosen.Choice == AllWithValue ? null : CollectionErrors.NoChoice);
        if (error is not null)
        {
            return error;
        }

        CollectionOutcome outcome = target.Cache.ListRemove(chosen.Name, chosen.Chosen, out long length);
        return CollectionAnswer.EndLength(outcome, target, response, length);
    }
}
