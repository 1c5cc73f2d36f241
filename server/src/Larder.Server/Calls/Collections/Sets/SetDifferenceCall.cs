using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>SetDifference: removes elements from a set, all of them, or makes the set what it lacks of some.</summary>
internal static class SetDifferenceCall
{
    /// <summary>The arm of the answer that says that there was a set.</summary>
    public const int Found = 1;

    // SetDifferenceRequest.minuend; and of its subtrahend, the set itself.
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

    /// <summary>Decodes and checks; the caller gives back what it was lent.</summary>
    /// <param name="request">The message.</param>
    /// <param name="rules">The limits.</param>
    /// <param name="kind">What it asks for.</param>
    /// <param name="error">Null on success.</param>
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
