using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>ListConcatenateFront: inserts elements at the beginning, in the request's order.</summary>
internal static class ListConcatenateFrontCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response) =>
        ListPush.Run(target, request, response, ListEnd.Front, ElementShape.Names);
}
