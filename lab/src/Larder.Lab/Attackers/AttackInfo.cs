using System.Text.Json.Nodes;

namespace Larder.Lab.Attackers;

/// <summary>A description of an attack, as reported by the attackers' program.</summary>
/// <param name="Name">The name.</param>
/// <param name="Description">A description in one sentence.</param>
/// <param name="Server">The server configuration: <c>Plaintext</c>, <c>Tls</c> or <c>ClientCertificates</c>.</param>
/// <param name="Obstacle">The reason why the attack cannot run on this machine; null if it can run.</param>
internal sealed record AttackInfo(string Name, string Description, string Server, string? Obstacle)
{
    /// <summary>Gets whether the server uses TLS.</summary>
    public bool IsTls => Server != "Plaintext";

    /// <summary>Gets whether clients present certificates.</summary>
    public bool HasClientCertificates => Server == "ClientCertificates";

    /// <summary>Parses the list of attacks in a response to <c>open</c>.</summary>
    public static IReadOnlyList<AttackInfo> From(JsonObject answer) =>
    [
        .. answer["attacks"]!.AsArray().Select(attack => new AttackInfo(
            (string)attack!["name"]!, (string)attack["description"]!, (string)attack["server"]!, (string?)attack["obstacle"])),
    ];
}
