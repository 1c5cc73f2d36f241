using Larder.Client.Calls;

namespace Larder.Client;

/// <summary>
/// Thrown if there is no connection on which to send a call. It never reaches the application: the client converts it to the call's <see cref="Failure"/>.
/// </summary>
internal sealed class ConnectException(string message, Exception? innerException, bool failFast) : Exception(message, innerException)
{
    public Failure ToFailure() => Failure.NotConnected(Message, InnerException, failFast);
}
