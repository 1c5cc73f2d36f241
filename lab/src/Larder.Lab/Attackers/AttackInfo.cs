using System.Text.Json.Nodes;

namespace Larder.Lab.Attackers;

/// <summary>An attack, as the attackers' program describes it.</summary>
/// <param name="Name">The name.</param>
/// <param name="Description">A description in one sentence.</param>
/// <param name="Server">The server configuration: <c>Plaintext</c>, <c>Tls</c> or <c>ClientCertificates</c>.</param>
/// <param name="Obstacle">Why the attack cannot run on this machine; null if it can.</param>
internal sealed record AttackInfo(string Name, string Description, string Server, string? Obstacle)
{
    /// <summary>Gets whether the server uses TLS.</summary>
    public bool IsTls => Server != "Plaintext";

    /// <summary>Gets whether clients present certificates.</summary>
    public bool HasClientCertificates => Server == "ClientCertificates";

    /// <summary>Parses the attacks of an answer to <c>open</c>.</summary>
    public static IReadOnlyList<AttackInfo> From(JsonObject answer) =>
    [
        .. answer["attacks"]!.AsArray().Select(attack => new AttackInfo(
            (string)attack!["name"]!, (string)attack["description"]!, (string)attack["server"]!, (string?)attack["obstacle"])),
    ];
}
