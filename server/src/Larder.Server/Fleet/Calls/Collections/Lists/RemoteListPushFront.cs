using Larder.Server.Calls;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>ListPushFront: adds an element before the first.</summary>
internal sealed class RemoteListPushFront() : RemoteListPush(ListEnd.Front, ElementShape.OneName);
