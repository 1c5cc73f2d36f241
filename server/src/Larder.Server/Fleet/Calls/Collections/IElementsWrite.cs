using System.Buffers;

namespace Larder.Server.Fleet;

/// <summary>A call that writes elements.</summary>
internal interface IElementsWrite : IElementsCommand
{
    /// <summary>Writes the call's answer.</summary>
    /// <param name="response">Takes it.</param>
    /// <param name="isFound">Whether there was a collection, where its node was asked.</param>
    /// <param name="number">The number that its node answered.</param>
    void WriteAnswer(IBufferWriter<byte> response, bool isFound, long number);
}
