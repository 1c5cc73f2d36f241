using System.Diagnostics.CodeAnalysis;

namespace Larder.Client;

/// <summary>The result of a conditional set: stored, not stored, or error.</summary>
public sealed class SetIfResult : ICacheResult
{
    internal static readonly SetIfResult Stored = new(SetIfOutcome.Stored, error: null);
    internal static readonly SetIfResult NotStored = new(SetIfOutcome.NotStored, error: null);

    private SetIfResult(SetIfOutcome outcome, CacheError? error)
    {
        Outcome = outcome;
        Error = error;
    }

    /// <summary>Gets the outcome. Use it in a <c>switch</c>.</summary>
    public SetIfOutcome Outcome { get; }

    /// <summary>Gets whether the condition was met and the value was stored.</summary>
    public bool IsStored => Outcome == SetIfOutcome.Stored;

    /// <summary>Gets whether the condition was not met. If true, the item is unchanged.</summary>
    public bool IsNotStored => Outcome == SetIfOutcome.NotStored;

    /// <summary>Gets whether the call failed.</summary>
    [MemberNotNullWhen(true, nameof(Error))]
    public bool IsError => Error is not null;

    /// <inheritdoc/>
    public CacheError? Error { get; }

    /// <summary>Returns the outcome, or the error's message.</summary>
    public override string ToString() => Error?.Message ?? Outcome.ToString();

    internal static SetIfResult Failed(CacheError error) => new(SetIfOutcome.Error, error);
}
