using Larder.Client.Calls;

namespace Larder.Client;

/// <summary>There is no connection to send a call on. Internal to the client: it becomes the call's <see cref="Failure"/>.</summary>
internal sealed class ConnectException(string message, Exception? innerException, bool failFast) : Exception(message, innerException)
{
    public Failure ToFailure() => Failure.NotConnected(Message, InnerException, failFast);
}
