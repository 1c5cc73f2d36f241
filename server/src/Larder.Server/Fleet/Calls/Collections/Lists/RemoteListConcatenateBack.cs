using Larder.Server.Calls;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>ListConcatenateBack: adds elements behind the last, in the request's order.</summary>
internal sealed class RemoteListConcatenateBack() : RemoteListPush(ListEnd.Back, ElementShape.Names);
