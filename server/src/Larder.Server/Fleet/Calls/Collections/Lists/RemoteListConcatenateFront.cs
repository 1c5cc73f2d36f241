using Larder.Server.Calls;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>ListConcatenateFront: adds elements before the first, in the request's order.</summary>
internal sealed class RemoteListConcatenateFront() : RemoteListPush(ListEnd.Front, ElementShape.Names);
