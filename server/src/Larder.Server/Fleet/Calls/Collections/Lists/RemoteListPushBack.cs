using Larder.Server.Calls;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>ListPushBack: adds an element behind the last.</summary>
internal sealed class RemoteListPushBack() : RemoteListPush(ListEnd.Back, ElementShape.OneName);
