using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;
using Larder.Wire;

namespace Larder.Server.Security;

/// <summary>Lets a call in whose <c>authorization</c> carries the server's token, compared in constant time; asks for nothing where there is none.</summary>
internal sealed class TokenGate
{
    private readonly FormerTokens _former;

    private static readonly Status NoToken = new(StatusCode.Unauthenticated, "the call carries no token; send it in the 'authorization' metadata");
    private static readonly Status WrongToken = new(StatusCode.Unauthenticated, "the call's token is not this server's");

    // The digest has one length whatever the token's, so that the comparison tells nothing of it.
    private volatile byte[]? _digest;

    /// <param name="token">The token; null: none is asked for.</param>
    /// <param name="time">The clock by which those before it are forgotten.</param>
    public TokenGate(string? token, TimeProvider time)
    {
        _digest = token is null ? null : Digest(token);
        _former = new FormerTokens(time);
    }

    /// <summary>Whether a token is asked for.</summary>
    public bool IsClosed => _digest is not null;

    /// <summary>Asks for another token from now on.</summary>
    public void Replace(string token)
    {
        byte[] next = Digest(token);
        if (_digest is { } digest && !digest.AsSpan().SequenceEqual(next))
        {
            _former.Add([MemoryMarshal.Read<TokenDigest>(digest)]);
        }

        _digest = next;
    }

    /// <summary>Whether a token was the server's until lately.</summary>
    public bool HasAccepted(string token) => _former.Has(token);

    /// <summary>Whether a token is the server's, or none is asked for.</summary>
    public bool Accepts(string token) => _digest is not { } digest || CryptographicOperations.FixedTimeEquals(Digest(token), digest);

    /// <summary>Null where the call may go on.</summary>
    public Status? Check(RpcRequestHeaders headers)
    {
        if (!IsClosed)
        {
            return null;
        }

        string token = headers.Authorization;
        if (token.Length == 0)
        {
            return NoToken;
        }

        return Accepts(token) ? null : WrongToken;
    }

    private static byte[] Digest(string token) => SHA256.HashData(Encoding.UTF8.GetBytes(token));
}
