using System.Security.Cryptography;
using System.Text;
using Larder.Wire;

namespace Larder.Server.Security;

/// <summary>Lets a call in whose <c>authorization</c> carries the server's token, compared in constant time; asks for nothing where there is none.</summary>
internal sealed class TokenGate
{
    private static readonly Status NoToken = new(StatusCode.Unauthenticated, "the call carries no token; send it in the 'authorization' metadata");
    private static readonly Status WrongToken = new(StatusCode.Unauthenticated, "the call's token is not this server's");

    // The digest has one length whatever the token's, so that the comparison tells nothing of it.
    private volatile byte[]? _digest;

    public TokenGate(string? token) => _digest = token is null ? null : Digest(token);

    /// <summary>Whether a token is asked for.</summary>
    public bool IsClosed => _digest is not null;

    /// <summary>Asks for another token from now on.</summary>
    public void Replace(string token) => _digest = Digest(token);

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
