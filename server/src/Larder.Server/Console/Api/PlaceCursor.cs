using System.Buffers.Binary;
using Microsoft.AspNetCore.Http;

namespace Larder.Server.Console.Api;

/// <summary>
/// The cursor of a scan over a list or sorted set: the position or rank of the next element. If an element is added at the front of the list during the scan,
/// the positions of the other elements change.
/// </summary>
internal static class PlaceCursor
{
    /// <exception cref="ApiException">The cursor is invalid.</exception>
    public static uint Read(byte[] cursor) => cursor.Length switch
    {
        0 => 0,
        sizeof(uint) => BinaryPrimitives.ReadUInt32LittleEndian(cursor),
        _ => throw new ApiException(StatusCodes.Status400BadRequest, "the cursor is invalid for a list or sorted set"),
    };

    /// <param name="next">The position or rank of the next element.</param>
    /// <param name="count">The number of elements in the collection.</param>
    public static byte[] Write(long next, long count)
    {
        if (next >= Math.Min(count, uint.MaxValue))
        {
            return [];
        }

        byte[] cursor = new byte[sizeof(uint)];
        BinaryPrimitives.WriteUInt32LittleEndian(cursor, (uint)next);
        return cursor;
    }
}
