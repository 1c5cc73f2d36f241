using System.Buffers;

namespace Larder.Wire;

/// <summary>Bytes that gather in one piece and can still be changed: a length is filled in when it is known.</summary>
internal interface IGatheringWriter : IBufferWriter<byte>
{
    /// <summary>Where the next byte goes.</summary>
    int Position { get; }

    /// <summary>Bytes written at <paramref name="position"/>. Valid until the next write.</summary>
    Span<byte> At(int position, int count);
}
