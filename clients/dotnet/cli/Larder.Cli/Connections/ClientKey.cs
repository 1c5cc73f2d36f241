using Larder.Client;

namespace Larder.Cli;

/// <summary>Identifies a client by the options with which it was opened.</summary>
/// <param name="Server">The addresses, with their tokens.</param>
/// <param name="Token">The token that was given with its own option.</param>
/// <param name="Authorities">The file of authorities and the options of the client's certificate.</param>
/// <param name="Transport">The transport.</param>
/// <param name="Timeout">The timeout of each call.</param>
internal readonly record struct ClientKey(string Server, string Token, string Authorities, Transport Transport, TimeSpan Timeout);
