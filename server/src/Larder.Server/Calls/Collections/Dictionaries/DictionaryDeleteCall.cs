using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>DictionaryDelete: removes some or all fields.</summary>
internal static class DictionaryDeleteCall
{
    /// <summary>The field <c>DictionaryDeleteRequest.all</c>.</summary>
    public const int All = 3;

    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        using ChosenElements fields = ChosenElements.Decode(request);
        CallError? error = fields.Check();
        if (error is null && fields.Choice != All)
        {
            error = fields.ReadElements(target.Rules) ?? (fields.HasEmptyElement ? CollectionErrors.EmptyField : null);
        }

        if (error is not null)
        {
            return error;
        }

        // DictionaryDeleteResponse has no fields, so nothing is written.
        CollectionOutcome outcome = fields.Choice == All
            ? target.Cache.DictionaryDeleteAll(fields.Name)
            : target.Cache.DictionaryDelete(fields.Name, fields.Elements);
        return CollectionErrors.Of(outcome, target);
    }
}
