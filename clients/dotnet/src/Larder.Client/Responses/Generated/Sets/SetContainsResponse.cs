// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Client;

/// <summary>The response to setContains: <see cref="Hit"/>, <see cref="Miss"/> or <see cref="Error"/>.</summary>
public abstract class SetContainsResponse
{
    private SetContainsResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The set exists.</summary>
    public sealed class Hit : SetContainsResponse
    {
        internal Hit(IReadOnlyList<bool> contains)
        {
            Contains = contains;
        }

        /// <summary>Whether the set contains each element, in the order of the elements.</summary>
        public IReadOnlyList<bool> Contains { get; }

        /// <inheritdoc/>
        public override string ToString() => $"Hit ({Contains.Count} answers)";
    }

    /// <summary>The set does not exist, or has expired.</summary>
    public sealed class Miss : SetContainsResponse
    {
        internal static readonly Miss Instance = new();

        private Miss()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : SetContainsResponse, ICacheFailure
    {
        internal Error(CacheError failure) => Failure = failure;

        /// <inheritdoc/>
        public CacheError Failure { get; }

        /// <summary>Gets the error code. Base decisions on it.</summary>
        public CacheErrorCode Code => Failure.Code;

        /// <summary>Gets all details in one line, for a log.</summary>
        public string Message => Failure.Message;

        /// <inheritdoc/>
        public override string ToString() => Failure.Message;
    }
}
