using System.Diagnostics.CodeAnalysis;

namespace Larder.Client;

/// <summary>The result of a call that returns a value: success with the value, or error.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
public abstract class CacheResult<T> : ICacheResult
{
    private CacheResult()
    {
    }

    /// <summary>Gets whether the call succeeded. If true, there is a value.</summary>
    [MemberNotNullWhen(false, nameof(Error))]
    public bool IsSuccess => Error is null;

    /// <summary>Gets whether the call failed.</summary>
    [MemberNotNullWhen(true, nameof(Error))]
    public bool IsError => Error is not null;

    /// <inheritdoc/>
    public virtual CacheError? Error => null;

    /// <summary>Gets the value of a call that succeeded.</summary>
    /// <exception cref="CacheException">The call failed.</exception>
    public abstract T Value { get; }

    /// <summary>Gets the value if there is one.</summary>
    /// <param name="value">The value, or the default value of the type if the call failed.</param>
    /// <returns>True if the call succeeded.</returns>
    public bool TryGetValue([MaybeNullWhen(false)] out T value)
    {
        value = IsSuccess ? Value : default;
        return IsSuccess;
    }

    internal static CacheResult<T> Success(T value) => new Valued(value);

    internal static CacheResult<T> Failed(CacheError error) => new Failure(error);

    // There is one class for each case, so that the result of a successful call does not need a field for an error.
    private sealed class Valued(T value) : CacheResult<T>
    {
        public override T Value => value;

        public override string ToString() => ResultText.Of(nameof(Success), value);
    }

    private sealed class Failure(CacheError error) : CacheResult<T>
    {
        public override CacheError? Error => error;

        public override T Value => throw new CacheException(error);

        public override string ToString() => error.Message;
    }
}
