using System.Buffers.Binary;

namespace Larder.Agent;

/// <summary>
/// Creates and parses the values of a <c>near</c> run. A value begins with the key and the version, ends with the version, and has arbitrary bytes in between.
/// </summary>
internal static class NearValue
{
    /// <summary>The minimum size of a value in bytes, which is the size of the three numbers.</summary>
    public const int MinBytes = 12;

    /// <summary>Returns the value of a key's version.</summary>
    public static byte[] Of(int key, int version, int bytes)
    {
        byte[] value = new byte[bytes];
        BinaryPrimitives.WriteInt32LittleEndian(value, key);
        BinaryPrimitives.WriteInt32LittleEndian(value.AsSpan(4), version);
        BinaryPrimitives.WriteInt32LittleEndian(value.AsSpan(bytes - 4), version);
        return value;
    }

    /// <summary>Returns the version of a value, or 0 if the value belongs to another key or its two versions differ.</summary>
    public static int VersionOf(ReadOnlySpan<byte> value, int key)
    {
        if (value.Length < MinBytes || BinaryPrimitives.ReadInt32LittleEndian(value) != key)
        {
            return 0;
        }

        int version = BinaryPrimitives.ReadInt32LittleEndian(value[4..]);
        return BinaryPrimitives.ReadInt32LittleEndian(value[^4..]) == version ? version : 0;
    }
}
