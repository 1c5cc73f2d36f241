using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>SetDifference: removes some or all elements of a set, or replaces the set with the given elements minus the elements of the set.</summary>
internal static class SetDifferenceCall
{
    /// <summary>The number of the response field that reports an existing set.</summary>
    public const int Found = 1;

    // The fields SetDifferenceRequest.minuend and Subtrahend.identity. The latter requests to subtract the set from itself.
    private const int Minuend = 2;
    private const int Identity = 2;

    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        using ChosenElements chosen = Decode(request, target.Rules, out SetDifferenceKind kind, out CallError? error);
        if (error is not null)
        {
            return error;
        }

        CollectionOutcome outcome = kind switch
        {
            SetDifferenceKind.From => target.Cache.SetSubtractFrom(chosen.Name, chosen.Elements),
            SetDifferenceKind.All => target.Cache.SetDelete(chosen.Name),
            _ => target.Cache.SetRemove(chosen.Name, chosen.Elements),
        };
        error = CollectionErrors.Of(outcome, target);
        if (error is null)
        {
            response.WriteEmptyArm(outcome == CollectionOutcome.Ok ? Found : CollectionAnswer.Missing);
        }

        return error;
    }

    /// <summary>Decodes and checks the request. The caller must dispose the returned object.</summary>
    /// <param name="request">The request message.</param>
    /// <param name="rules">The limits.</param>
    /// <param name="kind">The requested kind of difference.</param>
    /// <param name="error">The error; null on success.</param>
    public static ChosenElements Decode(ReadOnlySpan<byte> request, CallRules rules, out SetDifferenceKind kind, out CallError? error)
    {
        ChosenElements chosen = ChosenElements.Decode(request);
        error = chosen.Check();
        kind = SetDifferenceKind.From;
        if (error is null && chosen.Choice != Minuend)
        {
            chosen.EnterChoice();
            error = chosen.Check();
            kind = chosen.Choice == Identity ? SetDifferenceKind.All : SetDifferenceKind.Of;
        }

        if (error is null && kind != SetDifferenceKind.All)
        {
            error = chosen.ReadElements(rules);
        }

        return chosen;
    }
}
