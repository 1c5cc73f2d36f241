using System.Buffers;

namespace Larder.Server.Fleet;

/// <summary>A call that writes elements.</summary>
internal interface IElementsWrite : IElementsCommand
{
    /// <summary>Writes the call's response.</summary>
    /// <param name="response">Receives the response.</param>
    /// <param name="isFound">Whether the collection existed, as far as the node reports it.</param>
    /// <param name="number">The number that the node returned.</param>
    void WriteAnswer(IBufferWriter<byte> response, bool isFound, long number);
}
