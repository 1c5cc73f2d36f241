using Larder.Client;

namespace Larder.Cli;

/// <summary>What makes one client another than the next.</summary>
/// <param name="Server">The addresses, with their tokens.</param>
/// <param name="Token">The token that was given beside them.</param>
/// <param name="Authorities">The file of authorities, and what is shown of TLS.</param>
/// <param name="Transport">How its calls travel.</param>
/// <param name="Timeout">The deadline of each call.</param>
internal readonly record struct ClientKey(string Server, string Token, string Authorities, Transport Transport, TimeSpan Timeout);
