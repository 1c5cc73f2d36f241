using System.Diagnostics.CodeAnalysis;

namespace Larder.Client;

/// <summary>The result of a set that returns the value's hash: stored, not stored or error.</summary>
public sealed class SetIfHashResult : ICacheResult
{
    internal static readonly SetIfHashResult NotStored = new(hash: null, error: null);

    private readonly byte[]? _hash;

    private SetIfHashResult(byte[]? hash, CacheError? error)
    {
        _hash = hash;
        Error = error;
    }

    /// <summary>Gets the outcome, for a <c>switch</c>.</summary>
    public SetIfOutcome Outcome => IsStored ? SetIfOutcome.Stored : IsError ? SetIfOutcome.Error : SetIfOutcome.NotStored;

    /// <summary>Gets whether the condition held, so that the value is stored.</summary>
    public bool IsStored => _hash is not null;

    /// <summary>Gets whether the condition did not hold, so that the item is unchanged.</summary>
    public bool IsNotStored => _hash is null && Error is null;

    /// <summary>Gets whether the call failed.</summary>
    [MemberNotNullWhen(true, nameof(Error))]
    public bool IsError => Error is not null;

    /// <inheritdoc/>
    public CacheError? Error { get; }

    /// <summary>Gets the hash of the value now stored.</summary>
    /// <exception cref="InvalidOperationException">The condition did not hold.</exception>
    /// <exception cref="CacheException">The call failed.</exception>
    public ReadOnlyMemory<byte> Hash => _hash
        ?? throw (IsError ? new CacheException(Error) : new InvalidOperationException("Nothing was stored, so there is no hash: check IsStored."));

    /// <summary>Returns the outcome, or the error's message.</summary>
    public override string ToString() => Error?.Message ?? Outcome.ToString();

    internal static SetIfHashResult Stored(byte[] hash) => new(hash, error: null);

    internal static SetIfHashResult Failed(CacheError error) => new(hash: null, error);
}
