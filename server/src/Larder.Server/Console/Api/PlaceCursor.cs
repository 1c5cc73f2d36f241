using System.Buffers.Binary;
using Microsoft.AspNetCore.Http;

namespace Larder.Server.Console.Api;

/// <summary>
/// Where the next page of a list or a sorted set begins: its position or rank. What is pushed to a list's front meanwhile moves the others behind it.
/// </summary>
internal static class PlaceCursor
{
    /// <exception cref="ApiException">It is no such cursor.</exception>
    public static uint Read(byte[] cursor) => cursor.Length switch
    {
        0 => 0,
        sizeof(uint) => BinaryPrimitives.ReadUInt32LittleEndian(cursor),
        _ => throw new ApiException(StatusCodes.Status400BadRequest, "the cursor is none of a list or a sorted set"),
    };

    /// <param name="next">The position of the next element.</param>
    /// <param name="count">How many there are.</param>
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
