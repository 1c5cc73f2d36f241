using System.Buffers.Binary;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace Larder.Server.Fleet;

/// <summary>
/// The token of a lease that a gateway grants: 16 random bytes, and the number of the cache's last removed tag when the lease was granted. The number shows
/// later whether a tag of the loaded value has been removed since (TAG-3). A token is valid only if it equals the stored one, so a client cannot change the
/// number.
/// </summary>
internal static class LeaseToken
{
    private const int RandomBytes = 16;
    private const int Bytes = RandomBytes + sizeof(long);

    /// <summary>Creates a token.</summary>
    public static byte[] Create(long number)
    {
        byte[] token = new byte[Bytes];
        RandomNumberGenerator.Fill(token.AsSpan(0, RandomBytes));
        BinaryPrimitives.WriteInt64BigEndian(token.AsSpan(RandomBytes), number);
        return token;
    }

    /// <summary>Returns whether the bytes can be a token of a gateway.</summary>
    public static bool IsValid(ReadOnlySpan<byte> token) => token.Length == Bytes;

    /// <summary>Returns the number in the token.</summary>
    public static long NumberOf(ReadOnlySpan<byte> token) => BinaryPrimitives.ReadInt64BigEndian(token[RandomBytes..]);

    /// <summary>Returns a number as the scripts store it.</summary>
    public static byte[] Text(long number) => Encoding.ASCII.GetBytes(number.ToString(CultureInfo.InvariantCulture));
}
