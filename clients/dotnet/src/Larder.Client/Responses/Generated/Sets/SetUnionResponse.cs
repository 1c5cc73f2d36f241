// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Client;

/// <summary>The answer of setUnion: <see cref="Success"/> or <see cref="Error"/>.</summary>
public abstract class SetUnionResponse
{
    private SetUnionResponse()
    {
    }

    /// <summary>The answer's name, and what is small and no secret in it.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The set contains the elements.</summary>
    public sealed class Success : SetUnionResponse
    {
        internal static readonly Success Instance = new();

        private Success()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : SetUnionResponse, ICacheFailure
    {
        internal Error(CacheError failure) => Failure = failure;

        /// <inheritdoc/>
        public CacheError Failure { get; }

        /// <summary>What went wrong: decide by this.</summary>
        public CacheErrorCode Code => Failure.Code;

        /// <summary>The whole story in one line, for a log.</summary>
        public string Message => Failure.Message;

        /// <inheritdoc/>
        public override string ToString() => Failure.Message;
    }
}
