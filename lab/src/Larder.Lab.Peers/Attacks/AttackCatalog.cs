using System.Text.Json.Nodes;

namespace Larder.Lab.Peers.Attacks;

/// <summary>The attacks of <c>larder lab attackers</c>.</summary>
internal static class AttackCatalog
{
    /// <summary>Gets all attacks. The last one is the attack that runs several other attacks.</summary>
    public static IReadOnlyList<IServerAttack> All { get; } = WithMix(
    [
        new UnionStoreAttack(), new SetIfHashAttack(), new ListRemoveAttack(), new SetSampleAttack(), new NearRenewalAttack(), new UnknownFieldsAttack(),
        new DisposableTokenAttack(), new UnfinishedBodiesAttack(),
        new CertificateChainAttack("certificate-chains", ExpensiveChain.LongChain), new CertificateChainAttack("certificate-keys", ExpensiveChain.ShortChain),
        new KeyUpdateAttack(), new SilentConnectionsAttack(), new LeaseFloodAttack(), new TagFloodAttack(), new NearStreamFloodAttack(),
        new NearClearAttack(), new TopicFloodAttack(), new AuditNoiseAttack(), new UnreadLeaseAttack(),
    ]);

    /// <summary>Returns the attack with the given name; null if there is no such attack.</summary>
    public static IServerAttack? Find(string name) => All.FirstOrDefault(attack => attack.Name == name);

    /// <summary>Returns all attacks as JSON, for the program that runs them.</summary>
    public static JsonArray ToJson() =>
    [
        .. All.Select(attack => new JsonObject
        {
            ["name"] = attack.Name,
            ["description"] = attack.Description,
            ["server"] = attack.Server.ToString(),
            ["obstacle"] = attack.Obstacle,
        }),
    ];

    private static List<IServerAttack> WithMix(List<IServerAttack> attacks) =>
        [.. attacks, new MixedAttack([.. attacks.Where(attack => attack.Server == AttackedServer.Plaintext)])];
}
