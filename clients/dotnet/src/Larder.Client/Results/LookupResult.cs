using System.Diagnostics.CodeAnalysis;

namespace Larder.Client;

/// <summary>The result of a call that looks up an item, a field or an element: a hit with a value, a miss, or an error.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
public abstract class LookupResult<T> : ICacheResult
{
    internal static readonly LookupResult<T> Miss = new Missed();

    private protected LookupResult()
    {
    }

    /// <summary>Gets the outcome. Use it in a <c>switch</c>.</summary>
    public abstract LookupOutcome Outcome { get; }

    /// <summary>Gets whether the lookup was a hit. If true, there is a value.</summary>
    public bool IsHit => Outcome == LookupOutcome.Hit;

    /// <summary>Gets whether the lookup was a miss: the item, field or element does not exist, or has expired.</summary>
    public bool IsMiss => Outcome == LookupOutcome.Miss;

    /// <summary>Gets whether the call failed.</summary>
    [MemberNotNullWhen(true, nameof(Error))]
    public bool IsError => Error is not null;

    /// <inheritdoc/>
    public virtual CacheError? Error => null;

    /// <summary>Gets the value of a hit.</summary>
    /// <exception cref="InvalidOperationException">The lookup was a miss.</exception>
    /// <exception cref="CacheException">The call failed.</exception>
    public abstract T Value { get; }

    /// <summary>Gets the value if there is one.</summary>
    /// <param name="value">The value, or the default value of the type if the lookup was a miss or failed.</param>
    /// <returns>True if the lookup was a hit.</returns>
    public bool TryGetValue([MaybeNullWhen(false)] out T value)
    {
        bool isHit = IsHit;
        value = isHit ? Value : default;
        return isHit;
    }

    internal static LookupResult<T> Hit(T value) => new Found(value);

    /// <summary>Returns a hit whose <see cref="object.ToString"/> does not contain the value, because the value may be a secret.</summary>
    internal static LookupResult<T> SecretHit(T value) => new FoundSecret(value);

    internal static LookupResult<T> Failed(CacheError error) => new Failure(error);

    // There is one class for each case, so that a hit does not need a field for an error.
    private class Found(T value) : LookupResult<T>
    {
        public override LookupOutcome Outcome => LookupOutcome.Hit;

        public override T Value => value;

        public override string ToString() => ResultText.Of(nameof(Hit), Value);
    }

    private sealed class FoundSecret(T value) : Found(value)
    {
        public override string ToString() => nameof(Hit);
    }

    private sealed class Missed : LookupResult<T>
    {
        public override LookupOutcome Outcome => LookupOutcome.Miss;

        public override T Value => throw new InvalidOperationException("A miss has no value; check IsHit, or call TryGetValue.");

        public override string ToString() => nameof(Miss);
    }

    private sealed class Failure(CacheError error) : LookupResult<T>
    {
        public override LookupOutcome Outcome => LookupOutcome.Error;

        public override CacheError? Error => error;

        public override T Value => throw new CacheException(error);

        public override string ToString() => error.Message;
    }
}
